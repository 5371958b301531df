/** The header in which proxy.ts passes on the requested path. Only the return after signing in depends on it. */
export const pathHeader = 'x-toolgate-path'
