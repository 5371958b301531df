// The log reads its level when it is first imported: this import has to come before all others.
process.env.LOG_LEVEL ??= 'error'
