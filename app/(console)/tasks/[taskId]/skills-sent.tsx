import type { TaskSkills } from '@toolgate/server/toolset/policy/task-skills'
import { GrantWords, SentPreview, ToolNames } from '@/components/nouns/skill-words'
import { Section } from '@/components/ui/section'
import { toolsLeftWords } from '@/lib/domains/skills/shape'
import { visibleText } from '@/lib/words/clean-text'

/**
 * Shows the skills that a run of the task is sent, the configuration's and then its own, and what they grant together. Shows
 * nothing without skills.
 */
export function SkillsSent({
  skills: { names, grant, preview, tools },
  configuration,
}: {
  skills: TaskSkills
  configuration: string | null
}) {
  const whose =
    configuration === null
      ? 'The task’s skills allow:'
      : `With the skills of ${configuration} they allow:`
  if (names.length === 0) return null
  return (
    <Section title="Sent with a run">
      <div className="flex max-w-[72ch] flex-col gap-2">
        <p>
          In this order: <ToolNames names={names} />
        </p>
        <GrantWords whose={whose} grant={grant} />
        <p>{visibleText(toolsLeftWords(tools))}</p>
        {configuration === null && <p className="text-muted">After the configuration’s skills.</p>}
      </div>
      <SentPreview preview={preview} />
    </Section>
  )
}
