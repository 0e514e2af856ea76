"""Rules of rows beyond memory."""
