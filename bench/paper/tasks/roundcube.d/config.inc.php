<?php
// Debian's config.inc.php, with private files and ports.
$config = [];
$config['db_dsnw'] = 'sqlite:///@work@/roundcube/roundcube.db?mode=0640';
$config['session_storage'] = 'php';
$config['imap_host'] = ['127.0.0.1:@imap_port@'];
$config['smtp_host'] = 'localhost:587';
$config['product_name'] = 'Roundcube Webmail';
$config['des_key'] = 'not-a-secret-24-letters!';
$config['log_dir'] = '@work@/roundcube/';
$config['temp_dir'] = '@work@/roundcube/';
$config['plugins'] = [];
$config['skin'] = 'elastic';
$config['enable_spellcheck'] = false;
