import { ValidationError } from '@/lib/kernel/errors'
import { allowingWords, findRefusal } from './egress-connector'

/**
 * Refuses an address in a private network that nobody allowed, and one that nothing may ever be sent to. Throws
 * ValidationError for the field that can correct it: that of the address, or `privateAddressAllowed`.
 */
export async function requireAllowed(
  field: string,
  url: string,
  privateAllowed: boolean,
): Promise<void> {
  const refusal = await findRefusal(url, { privateAllowed })
  if (!refusal) return
  const words = allowingWords(refusal)
  throw new ValidationError(
    words === null ? { [field]: refusal.message } : { privateAddressAllowed: `${words}.` },
  )
}

type Leading<F extends string> = { [K in F]?: string | null | undefined } & {
  privateAddressAllowed?: boolean | undefined
}

/**
 * Checks the address of an object that leads somewhere when a change makes it lead elsewhere, or there again. Throws
 * ValidationError as `requireAllowed` does. `before` null = the object is new.
 */
export async function requireAllowedChange<F extends string>(
  field: F,
  input: Leading<F> & { enabled?: boolean | undefined },
  before: Leading<F> | null,
): Promise<void> {
  const leads = input[field] !== undefined || input.privateAddressAllowed !== undefined
  if (!leads && input.enabled !== true) return
  const url = input[field] === undefined ? before?.[field] : input[field]
  const isAllowed = input.privateAddressAllowed ?? before?.privateAddressAllowed ?? false
  if (url) await requireAllowed(field, url, isAllowed)
}
