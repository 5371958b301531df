import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'

/** Runs a program in a network, and with names, of its own: nothing there leads to another machine. */
const apart = ['unshare', '--user', '--map-root-user', '--net', '--mount', 'sh', '-ec']
const noAddresses = 'ip link set lo up'

/**
 * Says whether this machine lets a program have a network of its own. Where all tests must run (`CI`), they are tried in any
 * case, and fail where it does not.
 */
export function mayHaveNetwork(): boolean {
  if (process.env.CI) return true
  const [program = '', ...args] = apart
  const tried = [noAddresses, 'ip addr add fd00::1/128 dev lo', 'mount --bind /dev/null /etc/hosts']
  return spawnSync(program, [...args, tried.join('\n')]).status === 0
}

type Apart = { addresses: readonly string[]; hosts: string; command: readonly string[] }

/**
 * Returns what a program says in a network of its own that has these addresses, each leading to this machine. `hosts` is the
 * file in which names are looked up there. Rejects with what went wrong.
 */
export async function runApart({ addresses, hosts, command }: Apart): Promise<string> {
  const [program = '', ...args] = apart
  const steps = [
    noAddresses,
    ...addresses.map((address) => `ip addr add ${address} dev lo`),
    'mount --bind "$0" /etc/hosts',
    'exec "$@"',
  ]
  const { stdout } = await promisify(execFile)(
    program,
    [...args, steps.join('\n'), hosts, ...command],
    { maxBuffer: 16 * 1024 * 1024 },
  )
  return stdout
}
