/** The vault's words for what it keeps for connections; part of what their ciphertext is bound to. */
export const secretPurpose = 'connection-key'
export const headersPurpose = 'connection-headers'
