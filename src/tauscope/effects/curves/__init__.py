"""The curves themselves: partial and conditional dependence, accumulated local effects."""
