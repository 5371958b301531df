import { readSettings } from '@toolgate/server/domains/settings/verbs'
import type { Metadata } from 'next'
import { PageHead } from '@/components/shell/page-head'
import { PageFrame } from '@/components/ui/page-frame'
import { SideIndex } from '@/components/ui/side-index'
import { requireAdmin } from '@/lib/next/require-user'
import { SettingFields, SettingsForm } from './settings-form'
import { SettingsSection } from './settings-section'

export const metadata: Metadata = { title: 'Settings' }

/** Shows the settings of the site, in one form. */
export default async function SettingsPage() {
  const ctx = await requireAdmin()
  const settings = await readSettings(ctx, {})
  return (
    <PageFrame kind="detail" index={<SideIndex />}>
      <PageHead title="Settings">Settings for the whole site. Every change is audited.</PageHead>
      <SettingsForm settings={settings}>
        <SettingsSection
          title="Approvals"
          about="How long a call waits for approval. The rules say which calls wait."
          more={{ href: '/approvals/rules', label: 'Rules' }}
        >
          <SettingFields names={['approvalLifetimeMs']} />
        </SettingsSection>
        <SettingsSection
          title="Runs"
          about="How long a run may go on asking a model. Each configuration sets its own maximum below this one."
          more={{ href: '/configurations', label: 'Configurations' }}
        >
          <SettingFields names={['maxRounds']} />
        </SettingsSection>
        <SettingsSection
          title="Runs at once"
          about="How many runs may be active at the same time, on all servers together. Further runs wait for their turn."
          more={{ href: '/runs?state=queued', label: 'Runs that wait' }}
        >
          <SettingFields names={['siteRuns', 'personRuns', 'configurationRuns']} />
        </SettingsSection>
        <SettingsSection
          title="Programs"
          about="How much programs may write to the disks of this server. 2,048 MiB always stay free."
          more={{ href: '/resources/workspaces', label: 'Workspaces' }}
        >
          <SettingFields names={['programDisk', 'workspaceDisk']} />
        </SettingsSection>
        <SettingsSection
          title="Signing in"
          about="Who needs a second factor, and when an inactive session ends."
          more={{ href: '/users', label: 'People' }}
        >
          <SettingFields names={['secondFactorFor', 'sessionIdleMs', 'sessionsOfPerson']} />
        </SettingsSection>
        <SettingsSection
          title="Alerts"
          about="When a budget passes 80 % or 100 %, admins see an alert under Usage > Budgets. Channels also send it to a webhook, a chat or by mail."
          more={{ href: '/channels', label: 'Channels' }}
        />
        <SettingsSection
          title="Backups"
          about="When this site is backed up by itself. A failure, or a last one that is older than two days, is an alert."
          more={{ href: '/settings/backups', label: 'Backups' }}
        >
          <SettingFields names={['backupHour', 'backupZone', 'backupsKept']} />
        </SettingsSection>
        <SettingsSection
          title="Site file"
          about="The configuration of this site as one YAML file. Download it, or compare and apply another file."
          more={{ href: '/settings/site-file', label: 'Site file' }}
        />
      </SettingsForm>
    </PageFrame>
  )
}
