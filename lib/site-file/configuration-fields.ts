import { requestParameterNames } from '../protocol/parameters'

/** What a run works with. */
export const parameterFields = [
  'systemPrompt',
  ...requestParameterNames,
  'toolMode',
  'maxRounds',
  'timeLimitMs',
] as const

/** What has a control and a reason of its own, `updateConfigurationPolicy`. */
export const policyFields = ['raisedDataClass', 'fourEyes', 'enabled'] as const

/** Who may use it, and what its runs may be offered, beside skills. */
export const accessFields = ['groups', 'allowedToolGroups', ...policyFields] as const
