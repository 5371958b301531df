import { redactText } from '@/lib/kernel/redaction/redact-text'

const MAX_PLAIN = 200

const personOrMachine =
  /^(?:USER|USERNAME|LOGNAME|MAIL|EMAIL|HOST|HOSTNAME|COMPUTERNAME|USERDOMAIN\w*|SUDO_\w+|SSH_\w+|\w*_(?:EMAIL|USER|USERNAME|HOSTNAME|ADDR|IP))$/i
const email = /[^\s@]+@[^\s@]+\.[^\s@]+/
const address =
  /(?<![\d.])(?!127\.|0\.0\.0\.0)(?:\d{1,3}\.){3}\d{1,3}(?![\d.])|(?:[0-9a-f]{1,4}:){3,}[0-9a-f:]{1,}/i
const scheme = /\b([a-z][a-z0-9+.-]{0,30}):\/\/([^\s/?#:,;]*)(?::\d+)?/gi
const path = /(?:^|[\s:;=,"'(])(?:\/|~\/|\.\.?\/|[A-Za-z]:[\\/]|\\\\)/
const run = /[A-Za-z0-9+/_=-]{16,}/g

/** Why a value should not be shown to a model that only asked for settings; null when it is a plain setting. */
export function carefulReason(name: string, value: string): string | null {
  if (redactText(value) !== value || (value.match(run) ?? []).some(looksRandom))
    return 'looks like a secret'
  if (/[^\P{C}\u200d]/u.test(value)) return 'not plain text'
  if (value.length > MAX_PLAIN) return `${value.length} characters long`
  if (personOrMachine.test(name) || email.test(value)) return 'names a person or a machine'
  if (address.test(value) || namesRemoteHost(value)) return 'an address'
  if (path.test(value.replace(scheme, ''))) return 'a path'
  return null
}

/** Hexadecimal, or at least four digits mixed with letters: an id or a key rather than a setting. */
function looksRandom(text: string): boolean {
  if (/[0-9a-f]{16,}/i.test(text) && /\d/.test(text)) return true
  return (text.match(/\d/g) ?? []).length >= 4 && /[A-Za-z]/.test(text)
}

function namesRemoteHost(value: string): boolean {
  return [...value.matchAll(scheme)].some(
    ([, , host = '']) => !['', 'localhost', '127.0.0.1', '0.0.0.0', '[::1]'].includes(host),
  )
}
