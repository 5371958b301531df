import type { SkillDetail } from '@toolgate/server/domains/skills/schemas'
import { DiffView } from '@/components/nouns/diff-view'
import { ErrorNotice } from '@/components/ui/error-notice'
import { diffLines } from '@/lib/words/diff-lines'
import { GrantChange } from '../grant-change'
import { AcceptChange } from './skill-actions'

/** Says why a skill of the folder is not used now, and what can be done about it. */
export function PendingChange({ skill }: { skill: SkillDetail }) {
  const pending = skill.history.find(({ version }) => version === skill.pendingVersion)
  const accepted = skill.history.find(({ version }) => version === skill.version)
  if (skill.state === 'missing') {
    return (
      <ErrorNotice title="Its file is missing, so it is not used">
        Its list of tools, if any, still limits runs. Restore the file and read the folder again, or
        delete the skill.
      </ErrorNotice>
    )
  }
  if (!pending || !accepted) return null
  return (
    <section
      aria-labelledby="pending-change"
      className="flex flex-col gap-3 rounded-md border border-waiting/40 bg-waiting-soft p-4"
    >
      <h2 id="pending-change" className="text-lg">
        Its file changed, so it is not used until accepted
      </h2>
      <p className="max-w-[72ch]">
        Its last list of tools, if any, still limits runs while it is on.
      </p>
      <GrantChange before={accepted.allowedTools} after={pending.allowedTools} />
      <DiffView parts={diffLines(accepted.file, pending.file)} label="Changes on disk" />
      <AcceptChange skillId={skill.id} name={skill.name} checksum={pending.checksum} />
    </section>
  )
}
