import 'server-only'
import { apiKeyVerbs } from '@/lib/domains/api-keys/checked-verbs'
import { makeApprovalRuleVerbs } from '@/lib/domains/approvals/verbs'
import { updateCheckVerb } from '@/lib/domains/checks/verbs'
import { checkedConfigurationVerbs } from '@/lib/domains/configurations/checked-verbs'
import { requireJudges } from '@/lib/domains/configurations/judge-models'
import {
  findUsableConfiguration,
  usableBy,
  visibleConfigurations,
} from '@/lib/domains/configurations/usable'
import { limitGroupVerb } from '@/lib/domains/groups/limit-group'
import { makePolicyCaseVerbs } from '@/lib/domains/policy-cases/verbs'
import { bringSkillsVerb } from '@/lib/domains/skills/bring-skills'
import { checkedAttachmentVerbs, checkedSkillVerbs } from '@/lib/domains/skills/checked-verbs'
import { checkedTaskVerbs } from '@/lib/domains/tasks/checked-verbs'
import { runnableTaskVerbs } from '@/lib/domains/tasks/runnable-verbs'
import { fileWriteVerbs } from '@/lib/domains/workspaces/file-writes'
import { hashOf } from '@/lib/engines/tools/sandbox/text-file'
import { readBeforeWrite, replaceFile } from '@/lib/engines/tools/sandbox/write-file'
import { requireComparable } from '@/lib/toolset/policy/comparable-conditions'
import { judgeCases } from '@/lib/toolset/policy/judge-cases'
import { knownNames } from '@/lib/toolset/policy/known-names'
import { liftsPower } from '@/lib/toolset/policy/lifted-rules'
import { effectsWhereUsed } from '@/lib/toolset/policy/skill-effects'
import { toolsLeft, toolsOfTask } from '@/lib/toolset/policy/tools-left'
import { installedTools } from '@/lib/toolset/tools/installed-tools'

// Joins the verbs of nouns with functions that their domains must not import: of the toolset, of engines, or of another noun.

export const { createApiKey, limitApiKey, limitChoices } = apiKeyVerbs({ installedTools, usableBy })
export const approvalRuleVerbs = makeApprovalRuleVerbs({
  knownNames,
  requireComparable,
  liftsPower,
})
export const policyCaseVerbs = makePolicyCaseVerbs({ knownNames, judgeCases })
export const { addConfiguration, editConfiguration, governConfiguration } =
  checkedConfigurationVerbs(knownNames)
export const updateCheck = updateCheckVerb({
  findConfiguration: findUsableConfiguration,
  requireJudges,
})
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
