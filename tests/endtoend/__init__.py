"""The whole product, as its users meet it: real processes, a browser, curl."""
