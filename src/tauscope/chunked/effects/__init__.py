"""Effects of rows beyond memory."""
