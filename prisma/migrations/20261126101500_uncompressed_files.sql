-- Images and PDF files are compressed already, and compressing a long text took PostgreSQL longer than storing it.
ALTER TABLE file_contents ALTER COLUMN content SET STORAGE EXTERNAL;
