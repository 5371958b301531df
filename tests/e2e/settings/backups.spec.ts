import { execFileSync } from 'node:child_process'
import { expect, test } from '../support/test'

test('an admin backs up, sees the file, and the command line finds it whole', async ({ page }) => {
  await page.goto('/settings')
  const section = page.getByRole('region', { name: 'Backups' })
  await expect(section.getByLabel('Back up daily at')).toHaveText('Never')
  await section.getByRole('link', { name: 'Backups' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Backups' })).toBeVisible()

  const passphrase = page.getByLabel('Passphrase for the vault key')
  await passphrase.fill('too short')
  await page.getByRole('button', { name: 'Back up now' }).click()
  await expect(page.getByText('A passphrase has at least 12 characters.')).toBeVisible()
  await passphrase.fill('correct horse battery')
  await page.getByRole('button', { name: 'Back up now' }).click()
  const main = page.getByRole('main')
  await expect(main.getByRole('status').getByText('Done')).toBeVisible()
  await expect(passphrase).toHaveValue('')

  const [file] = await page.getByRole('listitem').filter({ hasText: '.backup' }).all()
  await expect(file ?? main).toContainText('with the vault key')
  await expect(file ?? main).toContainText('Whole when written')
  const command = await main.getByText('bin/toolgate restore --verify').textContent()
  const [, path = ''] = /--verify '?([^']+)/.exec(command ?? '') ?? []
  const verified = execFileSync(process.execPath, ['bin/toolgate', 'restore', '--verify', path])
  expect(verified.toString()).toContain('The vault key is in it')

  await file?.getByRole('button', { name: /^Delete / }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete this backup' }).click()
  await expect(page.getByText('No backups yet')).toBeVisible()
})
