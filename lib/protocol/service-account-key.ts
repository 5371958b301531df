import { z } from 'zod'
import { type ConnectionSettings, settingValue } from './connection-settings'
import type { ModelTarget } from './model-target'

const pem =
  /^-----BEGIN (RSA )?PRIVATE KEY-----\n[A-Za-z0-9+/=\r\n]+-----END \1?PRIVATE KEY-----\n?$/

/** What is used of the JSON key file of a Google service account. Its addresses are left behind: a file may name any. */
const KeyFile = z.object({
  type: z.literal('service_account'),
  // The last field is the one whose end is shown, so never the key itself.
  private_key: z.string().max(8_192).regex(pem),
  client_email: z
    .string()
    .max(320)
    .regex(/^[\w.+-]+@[\w.-]+$/),
  private_key_id: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .optional(),
})
export type ServiceAccountKey = z.output<typeof KeyFile>

/** Reads the key file of a service account; null when the text is none. */
export function readServiceAccountKey(text: string): ServiceAccountKey | null {
  if (!looksLikeKeyFile(text)) return null
  try {
    return KeyFile.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Returns whether somebody pasted JSON instead of a key of one line. */
export function looksLikeKeyFile(text: string): boolean {
  return text.trimStart().startsWith('{')
}

/** Returns whether the key of a connection only signs, and is never sent itself. */
export function signsWithKeyFile(wire: ModelTarget['wire'], settings: ConnectionSettings): boolean {
  return wire === 'gemini' && settingValue(wire, settings, 'authentication') === 'service-account'
}
