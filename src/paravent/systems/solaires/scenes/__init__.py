"""Time at the table: scenes and episodes, latecomers, who acts when in an action scene."""
