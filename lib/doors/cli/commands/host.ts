import type { Command } from 'commander'
import { hosts } from '@/lib/domains/hosts/shape'
import { factText } from '@/lib/shape/field-codec'
import { resourceCommands } from '../resource-commands'

const example = `
  toolgate host add https://example.org
  toolgate host add 'https://*.example.org' --note 'Our manuals'`

export function addHostCommands(program: Command): void {
  const { note, privateAddressAllowed } = hosts.fields
  resourceCommands(program, hosts, {
    description: 'the hosts that tools may read',
    example,
    load: async () => (await import('@/lib/domains/hosts/verbs')).hostVerbs,
    words: {
      list: 'list the hosts that tools may read',
      show: 'show a host',
      add: 'add a host: an origin, or one with * for all hosts below it',
      edit: 'change a host; options you leave out keep their value',
      delete: 'delete a host; tools read nothing there any more',
    },
    columns: {
      PRIVATE: (host) => factText(privateAddressAllowed, host.privateAddressAllowed),
      NOTE: (host) => factText(note, host.note),
    },
  })
}
