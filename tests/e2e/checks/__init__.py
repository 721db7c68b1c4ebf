"""What every page of the site keeps to: each check looks at an open page and says what is wrong with it."""
