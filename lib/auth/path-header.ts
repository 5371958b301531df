/** The proxy writes the path being asked for here; only the way back after signing in depends on it. */
export const pathHeader = 'x-toolgate-path'
