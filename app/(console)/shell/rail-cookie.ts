/** `collapsed` when the rail shows icons alone. */
export const railCookie = 'toolgate-rail'
