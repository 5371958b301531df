-- The first start used to register three files of the installation as assets, which no page shows and nobody added.
DELETE FROM "assets" a USING "storages" s
WHERE a."storageId" = s.id AND s.name = 'Installation' AND a.path IN ('README.md', 'LICENSE', 'public/icon.svg');
DELETE FROM "storages" s
WHERE s.name = 'Installation' AND NOT EXISTS (SELECT 1 FROM "assets" a WHERE a."storageId" = s.id);
