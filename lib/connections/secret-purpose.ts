/** The vault's word for keys of connections; part of what their ciphertext is bound to. */
export const secretPurpose = 'connection-key'
