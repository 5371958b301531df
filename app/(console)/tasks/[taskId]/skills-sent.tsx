import { Section } from '@/components/ui/section'
import type { TaskSkills } from '@/lib/toolset/task-skills'
import { GrantWords, ToolNames } from '../../skills/grant-words'
import { SentPreview } from '../../skills/sent-preview'

/** What a run of the task is sent of skills, and what they grant together: the configuration's, then its own. */
export function SkillsSent({
  skills: { names, grant, preview },
  configuration,
}: {
  skills: TaskSkills
  configuration: string | null
}) {
  const whose =
    configuration === null
      ? 'The task’s skills grant:'
      : `With those of ${configuration} they grant:`
  return (
    <Section title="Skills that a run is sent">
      <div className="flex max-w-[72ch] flex-col gap-2">
        {names.length === 0 ? (
          <p className="text-muted">
            None: neither the task nor its configuration has one that counts.
          </p>
        ) : (
          <>
            <p>
              In this order: <ToolNames names={names} />
            </p>
            <GrantWords whose={whose} grant={grant} />
          </>
        )}
        {configuration === null && (
          <p className="text-muted">
            The skills of the configuration that is picked for a run stand in front of them.
          </p>
        )}
      </div>
      <SentPreview preview={preview} />
    </Section>
  )
}
