"""The pages and the JSON interface: thin doors on tables. They know no rules; they show what :mod:`paravent.table` lets
each seat see."""
