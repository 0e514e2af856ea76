"""What results of stress are made of: estimates, moments, units."""
