import { hosts } from '@/lib/domains/hosts/shape'
import { commandSpec } from '../resource-commands'

const example = `
  toolgate host add https://example.org
  toolgate host add 'https://*.example.org' --note 'Our manuals'`

export const hostCommands = commandSpec(hosts, {
  example,
  words: {
    add: 'add a host: an origin, or one with * for all hosts below it',
    delete: 'delete a host; tools read nothing there any more',
  },
})
