import { listSkills } from '@toolgate/server/domains/skills/reads'
import { configurationSkills } from '@toolgate/server/toolset/policy/configuration-skills'
import { GrantWords, SentPreview } from '@/components/nouns/skill-words'
import { toolsLeftWords } from '@/lib/domains/skills/shape'
import { requireAdmin } from '@/lib/next/require-user'
import { visibleText } from '@/lib/words/clean-text'
import { AttachedSkills } from './attached-skills'

/** Shows the skills of one configuration, their order, what they grant, and the text that a model is sent. */
export async function SkillsSection({
  configurationId,
  configurationName,
}: {
  configurationId: string
  configurationName: string
}) {
  const ctx = await requireAdmin()
  const [{ skills, grant, idle, heldBack, preview, tools }, all] = await Promise.all([
    configurationSkills(ctx, configurationId),
    listSkills(ctx, {}),
  ])
  const attached = new Set(skills.map(({ skillId }) => skillId))
  const choices = all
    .filter(({ id }) => !attached.has(id))
    .map(({ id, name, description }) => ({ id, name, description }))
  return (
    <section aria-labelledby="skills-of-configuration" className="flex flex-col gap-3">
      <h2 id="skills-of-configuration" className="text-lg">
        Skills
      </h2>
      <AttachedSkills
        configurationId={configurationId}
        configurationName={configurationName}
        skills={skills}
        choices={choices}
      />
      {skills.length > 0 && (
        <>
          <div className="max-w-[72ch]">
            <GrantWords whose="Its skills allow:" grant={grant} idle={idle} heldBack={heldBack} />
            <p>{visibleText(toolsLeftWords(tools))}</p>
          </div>
          <SentPreview preview={preview} />
        </>
      )}
    </section>
  )
}
