"""The psi implant: one set of powers, perceptions and efforts."""
