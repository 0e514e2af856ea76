"""Perturbed rows that bend an effect: by chance, or sought; the names are listed one level up."""
