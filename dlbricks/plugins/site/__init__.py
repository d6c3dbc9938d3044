"""The command ``site``: the results of a store as static web pages."""
