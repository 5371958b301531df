/**
 * Opens this checkout's installation (environment, secrets, database, migrations), does the work and closes it again,
 * whatever happened. Modules that read the environment, and the heavy ones, load in here: help needs none of them.
 */
export async function withInstallation<T>(work: () => Promise<T>): Promise<T> {
  const { configureLogSink, flushLog, logToStandardError } = await import('@/lib/kernel/log')
  const { prepareInstallation } = await import('@/lib/installation/prepare-installation')
  const { INSTALLATION_ROOT } = await import('@/lib/installation/data-folder')
  const { setOwnProgram } = await import('@/lib/kernel/own-program')
  const { checkVaultKey, guardVaultKey } = await import('@/lib/domains/vault/check-vault-key')
  logToStandardError()
  setOwnProgram(INSTALLATION_ROOT)
  const installation = await prepareInstallation(guardVaultKey)
  const { closeDb, db } = await import('@/lib/kernel/db')
  try {
    await checkVaultKey(db())
    configureLogSink(db())
    return await work()
  } finally {
    await flushLog()
    await closeDb()
    await installation.stop()
  }
}
