import type { Gate } from './gate'

/** Gate 6: the tool groups that the configuration allows. */
export const configuration: Gate = {
  name: 'configuration',
  denies: (tool, { configuration }) => {
    if (!configuration?.allowedToolGroups) return null
    return configuration.allowedToolGroups.has(tool.group)
      ? null
      : `The configuration ${configuration.name} does not allow tools of the group "${tool.group}".`
  },
}
