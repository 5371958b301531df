import { Disclosure } from '@/components/trace/disclosure'
import { LongText } from '@/components/trace/long-text'
import { Section } from '@/components/ui/section'
import { formatTokens } from '@/lib/protocol/format'
import type { TaskSkills } from '@/lib/toolset/task-skills'
import { GrantWords, ToolNames } from '../../skills/grant-words'

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
      {preview.text !== '' && (
        <Disclosure summary={`What the model is sent (≈ ${formatTokens(preview.tokens)})`}>
          <div className="flex flex-col gap-2">
            <p className="text-muted">
              In front of the prompt, in the first user message. Each run has a random word of its
              own in the tags, which no skill can know. The system prompt adds: “{preview.note}”
            </p>
            <LongText text={preview.text} label="What the model is sent" />
          </div>
        </Disclosure>
      )}
    </Section>
  )
}
