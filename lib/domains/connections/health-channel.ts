/** Told with a connection's id after each change of its health, so that processes look again. */
export const healthChannel = 'toolgate_health'
