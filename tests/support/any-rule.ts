import type { ApprovalRule } from '@/lib/protocol/approval'

/** A rule that asks about every call. */
export const anyRule: ApprovalRule = {
  id: 'rule-1',
  name: 'Ask first',
  toolName: null,
  toolGroup: null,
  serverName: null,
  configurationId: null,
  userId: null,
  groupId: null,
  apiKeyId: null,
  action: 'ask',
  fourEyes: false,
  conditions: [],
}
