"""Widgets: validated traits and the messages they carry. They ask a result and hold state; they draw nothing."""
