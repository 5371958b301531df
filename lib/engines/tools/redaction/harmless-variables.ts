const path = /^(?:\/|[A-Za-z]:[\\/])[^\r\n]*$/
const flag = /^(?:true|false|yes|no|on|off|0|1)$/i
const plainUrl = /^https?:\/\/[a-z0-9.-]+(?::\d+)?\/?$/i

/** Variables whose name sounds secret and whose value is not, as long as it has the shape it should have. */
const harmless = new Map<string, RegExp>([
  ['PWD', path],
  ['OLDPWD', path],
  ['SSH_AUTH_SOCK', path],
  ['XAUTHORITY', path],
  ['AUTH_TRUST_HOST', flag],
  ['NEXTAUTH_URL', plainUrl],
  ['AUTH_URL', plainUrl],
  ['XDG_SESSION_ID', /^\w{1,6}$/],
  ['XDG_SESSION_TYPE', /^(?:x11|wayland|tty|mir|unspecified)$/],
  ['XDG_SESSION_CLASS', /^(?:user|greeter|background|lock-screen)$/],
])

export function isHarmless(name: string, value: string): boolean {
  return harmless.get(name)?.test(value) ?? false
}
