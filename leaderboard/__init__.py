"""The leaderboard site: accounts, submissions, the queue's rows, boards, API."""
