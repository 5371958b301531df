/** Raised when an older bin/toolgate would not understand; it says the same number. */
export const protocol = 1

/** The command of the doctor for a running server. It is not for people, so it is in no help. */
export const examineCommand = 'examine'
