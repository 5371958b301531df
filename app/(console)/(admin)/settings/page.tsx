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
      <PageHead title="Settings">Changes are saved together, at the bottom, and audited.</PageHead>
      <SettingsForm settings={settings}>
        <SettingsSection title="Approvals" more={{ href: '/approvals/rules', label: 'Rules' }}>
          <SettingFields names={['approvalLifetimeMs']} />
        </SettingsSection>
        <SettingsSection title="Runs" more={{ href: '/configurations', label: 'Configurations' }}>
          <SettingFields names={['maxRounds']} />
        </SettingsSection>
        <SettingsSection
          title="Runs at once"
          more={{ href: '/runs?state=queued', label: 'Runs that wait' }}
        >
          <SettingFields names={['siteRuns', 'personRuns', 'configurationRuns']} />
        </SettingsSection>
        <SettingsSection
          title="Programs"
          more={{ href: '/resources/workspaces', label: 'Workspaces' }}
        >
          <SettingFields names={['programDisk', 'workspaceDisk']} />
        </SettingsSection>
        <SettingsSection title="Signing in" more={{ href: '/users', label: 'People' }}>
          <SettingFields names={['secondFactorFor', 'sessionIdleMs', 'sessionsOfPerson']} />
        </SettingsSection>
        <SettingsSection title="Alerts" more={{ href: '/channels', label: 'Channels' }}>
          <p className="text-muted">Channels send budget alerts.</p>
        </SettingsSection>
        <SettingsSection title="Backups" more={{ href: '/settings/backups', label: 'Backups' }}>
          <SettingFields names={['backupHour', 'backupZone', 'backupsKept']} />
        </SettingsSection>
        <SettingsSection
          title="Site file"
          more={{ href: '/settings/site-file', label: 'Site file' }}
        >
          <p className="text-muted">This site’s configuration in YAML.</p>
        </SettingsSection>
      </SettingsForm>
    </PageFrame>
  )
}
