import { isObject } from '@/lib/engines/providers/request/json-value'

/**
 * Page on which an admin can lift a refusal, by the gate in the refusal. A gate without such a page is missing here.
 */
const places: Readonly<Record<string, string>> = {
  unknown_tool:
    'It is not installed, or it needs something that this installation does not have yet: a workspace, a host, a search endpoint, a program, a site, a storage, a data source or a channel, which an admin adds under **Resources**.',
  site_frozen: 'An admin can unfreeze the site in the top bar.',
  switched_off: 'An admin can switch it on under **Tools**.',
  role: 'Admins and groups are under **People**.',
  configuration: 'An admin can allow it under **Configurations**.',
  trust_zone: 'An admin can allow more data for this configuration under **Configurations**.',
  skills: 'An admin can change what they allow under **Skills**.',
  not_picked: 'Pick it under *Tools available to this run* in the Playground.',
  definition_changed: 'An admin can review it under **Servers**.',
  rule: 'An admin can change the rule under **Tools > Rules**.',
  rate: 'An admin can change the limit on the page of the tool.',
  untrusted_input: 'An admin can change that for this configuration under **Configurations**.',
  not_approved: 'Calls that wait are under **Approvals**.',
}

/** A refusal in words: why, and where that can be changed; "" = nowhere. */
export type Refusal = { why: string; place: string }

/** Returns what a result says that is no result but a refusal; null = the call was made. */
export function refusalOf(text: string): Refusal | null {
  const found = /^(?:Refused, not run|Not run): ([\s\S]*)\n(\{[^\n]*\})$/.exec(text)
  if (!found) return null
  const [, words = '', line = ''] = found
  const why = words.replace(/\s*(?:Go on without it|Correct them and call again)\.$/, '')
  const reason = reasonIn(line)
  return { why, place: Object.hasOwn(places, reason) ? (places[reason] ?? '') : '' }
}

function reasonIn(line: string): string {
  try {
    const refusal: unknown = JSON.parse(line)
    return isObject(refusal) ? String(refusal.reason) : ''
  } catch {
    return ''
  }
}
