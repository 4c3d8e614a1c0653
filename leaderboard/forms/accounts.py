"""What a name that is signed up with may look like."""

from django.contrib.auth.validators import ASCIIUsernameValidator

# Letters that look like others would let one team stand on a board as another.
username_validators = [ASCIIUsernameValidator()]
