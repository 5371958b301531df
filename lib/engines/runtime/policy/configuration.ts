import type { Gate } from './subject'

/** Gate 6: whether the person may run with the configuration at all, and the tool groups that it allows. */
export const configuration: Gate = {
  name: 'configuration',
  denies: (tool, { configuration }) => {
    if (!configuration) return null
    if (configuration.closed) return configuration.closed.reason
    if (!configuration.allowedToolGroups) return null
    return configuration.allowedToolGroups.has(tool.group)
      ? null
      : `The configuration ${configuration.name} does not allow tools of the group "${tool.group}".`
  },
  part: ({ configuration }) => configuration?.closed?.part,
}
