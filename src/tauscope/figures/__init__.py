"""Charts and pictures drawn from results, to restyle, save and send."""
