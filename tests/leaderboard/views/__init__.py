"""The pages, through the door that browsers use."""
