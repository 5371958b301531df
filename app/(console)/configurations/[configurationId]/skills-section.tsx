import { Disclosure } from '@/components/trace/disclosure'
import { LongText } from '@/components/trace/long-text'
import { requireAdmin } from '@/lib/auth/require-user'
import { formatTokens } from '@/lib/protocol/format'
import { listSkills } from '@/lib/skills/list-skills'
import { configurationSkills } from '@/lib/toolset/configuration-skills'
import { GrantWords } from '../../skills/grant-words'
import { AttachedSkills } from './attached-skills'

/** The skills of one configuration: which, in what order, what they grant, and what a model is sent of them. */
export async function SkillsSection({
  configurationId,
  configurationName,
}: {
  configurationId: string
  configurationName: string
}) {
  const ctx = await requireAdmin()
  const [{ skills, grant, idle, heldBack, preview }, all] = await Promise.all([
    configurationSkills(ctx, configurationId),
    listSkills(ctx),
  ])
  const attached = new Set(skills.map(({ skillId }) => skillId))
  const choices = all
    .filter(({ id }) => !attached.has(id))
    .map(({ id, name, description }) => ({ id, name, description }))
  return (
    <section aria-labelledby="skills-of-configuration" className="flex flex-col gap-3">
      <div>
        <h2 id="skills-of-configuration" className="text-lg">
          Skills
        </h2>
        <p className="max-w-[72ch] text-muted">
          Guidance that is sent in front of every prompt, in this order, as untrusted text. Listed
          tools narrow what a run is offered; they never widen it.
        </p>
      </div>
      <AttachedSkills
        configurationId={configurationId}
        configurationName={configurationName}
        skills={skills}
        choices={choices}
      />
      <div className="max-w-[72ch]">
        <GrantWords whose="This configuration’s skills grant:" {...{ grant, idle, heldBack }} />
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
    </section>
  )
}
