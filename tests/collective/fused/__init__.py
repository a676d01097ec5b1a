"""Operators that communicate, beside the operator and the collective made apart; see __main__."""
