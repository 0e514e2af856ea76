"""The population of another sample: the weights that give the rows its means, shares, variances and covariances."""
