import 'server-only'
import { usableBy, visibleConfigurations } from '@/lib/domains/configurations/usable'
import { hashOf } from '@/lib/engines/tools/sandbox/text-file'
import { readBeforeWrite, replaceFile } from '@/lib/engines/tools/sandbox/write-file'
import { apiKeyVerbs } from '@/lib/toolset/api-key-verbs'
import { makeApprovalRuleVerbs } from '@/lib/toolset/approval-rule-verbs'
import { checkedConfigurationVerbs } from '@/lib/toolset/configuration-verbs'
import { fileWriteVerbs } from '@/lib/toolset/file-writes'
import { bringSkillsVerb } from '@/lib/toolset/import-verb'
import { limitGroupVerb } from '@/lib/toolset/limit-group'
import { requireComparable } from '@/lib/toolset/policy/comparable-conditions'
import { knownNames } from '@/lib/toolset/policy/known-names'
import { liftsPower } from '@/lib/toolset/policy/lifted-rules'
import { effectsWhereUsed } from '@/lib/toolset/policy/skill-effects'
import { toolsLeft, toolsOfTask } from '@/lib/toolset/policy/tools-left'
import { runnableTaskVerbs } from '@/lib/toolset/runnable-tasks'
import { checkedAttachmentVerbs, checkedSkillVerbs } from '@/lib/toolset/skill-verbs'
import { checkedTaskVerbs } from '@/lib/toolset/task-verbs'
import { installedTools } from '@/lib/toolset/tools/installed-tools'

// The operations whose noun asks about tools, files or another noun. Each noun is given here what it asks.

export const { createApiKey, limitApiKey, limitChoices } = apiKeyVerbs({ installedTools, usableBy })
export const approvalRuleVerbs = makeApprovalRuleVerbs({
  knownNames,
  requireComparable,
  liftsPower,
})
export const { addConfiguration, editConfiguration, governConfiguration } =
  checkedConfigurationVerbs(knownNames)
export const limitGroup = limitGroupVerb(knownNames)
export const bringSkills = bringSkillsVerb({ toolsLeft, effectsWhereUsed })
export const { addSkill, switchAddedSkill } = checkedAttachmentVerbs(toolsLeft)
export const { turnSkill, acceptSkill, restoreSkill } = checkedSkillVerbs(effectsWhereUsed)
export const { addTask, editTask } = checkedTaskVerbs(toolsOfTask)
export const { listRunnableTasks, readRunnableTask } = runnableTaskVerbs(visibleConfigurations)
export const { readFileWrite, findFileWrite, undoFileWrite } = fileWriteVerbs({
  readBeforeWrite,
  replaceFile,
  hashOf,
})
