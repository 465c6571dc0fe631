"""Actions: announced, weighed, rolled, told; those of a group, against somebody, and the world's own roll."""
